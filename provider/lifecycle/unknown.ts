/** The engine's placeholder for a value that is unknown in a preview (pulumi-notes.md, check). */
export const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
