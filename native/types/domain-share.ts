import { isDeepStrictEqual } from "node:util";
import { domainShareProvider } from "../../provider/lifecycle/domain-share";
import type { Operate } from "../../provider/lifecycle/host";
import { canonicalShare, unknownMode } from "../../provider/lifecycle/share-inputs";
import { unknownInputs } from "../../provider/lifecycle/options";
import { importedShare } from "../imports";
import { isOfClass, withManifest, type NativeType } from "./type";

export const domainShareType = (operate: Operate): NativeType => ({
  lifecycle: domainShareProvider(operate),
  open: [],
  closed: [],
  computed: [],

  imported: importedShare,

  prepare: ({ label, given, names, olds }, { declared }) => {
    const { props } = given;
    if (isOfClass(given) || (props["mode"] === unknownMode && isDeepStrictEqual(props, olds)))
      return { news: props };
    const { inputs } = canonicalShare(props);
    const problems = [
      ...unknownInputs(props, names),
      ...declared.shareErrors(label, inputs, given.secret.size > 0),
    ];
    return problems.length > 0 ? { problems } : { news: withManifest(props, { resource: label }) };
  },
});
