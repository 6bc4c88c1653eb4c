/** The service bans clients without a contact (service-notes, Transport). */
const missing = "the service bans clients that do not say whom to write to, and no contact is set. Set it: ";

export const contactReminder = `${missing}\`pulumi config set legacydns:contact you@example.com\`, or \`export LEGACYDNS_CONTACT=you@example.com\` (an explicit Provider takes it as its input \`contact\`)`;

/** For a command that does not read a stack's configuration. */
export const contactReminderOfCommand = `${missing}\`export LEGACYDNS_CONTACT=you@example.com\` (this command reads the environment, not a stack's configuration)`;
