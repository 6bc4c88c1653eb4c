"""Runs a Python program through the Automation API, without a language host: inline.py COMMAND PROGRAM FOLDER."""

import runpy
import sys

from pulumi import automation as auto

command, program, folder = sys.argv[1:4]
stack = auto.select_stack(
    "test",
    project_name="zones",
    program=lambda: runpy.run_path(program) and None,
    work_dir=folder,
)
try:
    if command == "preview":
        stack.preview(on_output=print, diff=True)
    elif command == "drift":
        stack.preview(on_output=print, diff=True, refresh=True)
    elif command == "repair":
        stack.up(on_output=print, refresh=True)
    else:
        getattr(stack, command)(on_output=print)
except auto.errors.CommandError as error:
    print(error)
    sys.exit(1)
