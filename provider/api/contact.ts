/**
 * The reminder that the User-Agent names nobody: the service bans clients for that (service-notes, Transport). It is given
 * once a run, though a program and the hosts of its resources are processes of their own, with the first call of any.
 */
const missing = "the service bans clients that do not say whom to write to, and no contact is set. Set it: ";

export const contactReminder = `${missing}\`pulumi config set legacydns:contact you@example.com\`, or \`export LEGACYDNS_CONTACT=you@example.com\` (an explicit Provider takes it as its input \`contact\`)`;

/** For a command that reads no stack's configuration. */
export const contactReminderOfCommand = `${missing}\`export LEGACYDNS_CONTACT=you@example.com\` (this command reads the environment, not a stack's configuration)`;
