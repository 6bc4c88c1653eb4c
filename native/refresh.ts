/**
 * Drift without a flag: with the setting `refresh: always` each answer asks the engine to read the resource before every
 * preview, update and destroy. The engine does not tell what it was asked, so that the outputs keep it as well.
 */
import type { Props } from "../provider/lifecycle/lifecycle";

const mark = "__refresh";

/** Whether the engine was asked, by what the state's outputs say. */
export function asksForRefresh(outputs: Props): boolean {
  return outputs[mark] === "always";
}

/** Outputs with what the engine is asked. */
export function withRefresh(outputs: Props, refresh: boolean): Props {
  return refresh ? { ...outputs, [mark]: "always" } : outputs;
}

/** Properties as the lifecycle takes them: without that, and without the text that a dynamic provider's state has. */
export function withoutMarks(props: Props): Props {
  const { __provider: _text, [mark]: _asked, ...rest } = props;
  return rest;
}
