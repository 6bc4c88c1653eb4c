/** What the engine puts in place of a value that a preview does not know yet (pulumi-notes.md, check). */
export const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
