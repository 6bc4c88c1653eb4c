import { LOGIN_STOP_MS } from "../../../provider/api/login-stop";
import type { Law } from "./law";

export const loginStop = {
  name: "login-stop",
  sentence: "After a failed login, no process of the machine calls for five minutes.",
  row: "After a failed login, nothing is sent for five minutes.",
  *sent(world, { process, operation }) {
    const { begun, loginFailed } = world.run(process);
    const failed = world.machines.loginFailures.get(process.settings.stateDir) ?? Infinity;
    const isStopped =
      failed < begun && !world.machines.hasLeapt(process, failed) && world.now - failed < LOGIN_STOP_MS;
    if (loginFailed || isStopped) yield `${process.name} calls ${operation} after a failed login`;
  },
} as const satisfies Law;
