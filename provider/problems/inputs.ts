/** Resources, shares and imports. */
import { warning } from "./kinds";

export const inputs = {
  "option.not-allowed": [
    "<given> needs undocumented operations",
    "allow them: <allow>",
    "or write <instead>",
  ],
  "share.none": [
    "<domain> has no shares, and the documented API cannot create one",
    "share it with <email> in the service's console, then run `pulumi up` again",
  ],
  "share.gone": warning("<share> no longer exists"),
  "share.stays": warning("<share> stays on the service", "end it in the service's console"),
  "records.rewritten": ["a transform has edited secret records as text", "set `records` to specs or lines"],
  "import.option": [
    "a dynamic provider cannot import by id",
    "remove the option: declaring <what> that is live adopts it",
  ],
  "import.id": ["<given> is not the id of a <type>", "<hint>"],
  "import.disabled": warning("<domain>: disabled, and left out", "enable them in the service's console"),
  "delete.stateless": [
    "<id>: not deleted, because no state shows that a stack created it",
    "delete it in the service's console",
    "or remove it from its stack's program: pulumi up",
  ],
  "import.none": ["<domain>: nothing with this id can be imported", "<hint>"],
} as const;
