import { LOGIN_STOP_MS } from "../../../provider/api/login-stop";
import type { Law } from "./law";

export const loginStop = {
  name: "login-stop",
  sentence: "After a failed login, no process of the machine calls for five minutes.",
  row: "After a failed login, nothing is sent for five minutes.",
  *sent(world, { process, operation }) {
    const [{ begun, loginFailed }, { stateDir }] = [world.run(process), process.settings];
    const failed = world.machines.loginFailures.get(stateDir) ?? Infinity;
    const isRecent = failed < begun && world.now - failed < LOGIN_STOP_MS;
    const isStopped = isRecent && world.machines.setForward(stateDir, failed, world.now) === 0;
    if (loginFailed || isStopped) yield `${process.name} calls ${operation} after a failed login`;
  },
} as const satisfies Law;
