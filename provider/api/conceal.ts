/** Hides secrets in texts of the service: as they are and percent-encoded, in capital and small letters. */
import { hiddenText } from "../support/secret";

export function concealing(secrets: readonly string[]): (text: string) => string {
  const forms = secrets
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .filter((form) => form !== "");
  if (forms.length === 0) return (text) => text;
  // One secret may begin another.
  forms.sort((a, b) => b.length - a.length);
  const sought = new RegExp(forms.map((form) => form.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|"), "gi");
  return (text) => text.replace(sought, hiddenText);
}
