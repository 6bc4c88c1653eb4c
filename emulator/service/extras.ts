/** Monitor.Gethistory and Custom.Line.List (api.md, Endpoints). */
import { domainOf, integer, sent, type Context } from "./context";
import { serviceTime, type JsonObject } from "./envelope";

const hour = 3600 * 1000;

export function monitorHistory({ world, account, params, now, refusal }: Context): JsonObject {
  const monitor = world.monitors.get(sent(params, "monitor_id") ?? "");
  const domain = monitor === undefined ? undefined : world.domains.get(monitor.domainId);
  if (monitor === undefined || domain === undefined || domain.owner !== account) throw refusal("7");
  // No source shows the default of `hours`: all there is.
  const hours = integer(sent(params, "hours") ?? "");
  const since = Number.isNaN(hours) ? 0 : now - hours * hour;
  return {
    domain: { id: String(domain.id), domain: domain.name, domain_grade: domain.grade },
    record: { id: String(monitor.recordId), sub_domain: monitor.subDomain, ip: monitor.ip },
    monitor_history: monitor.points.map(({ point, events }) => ({
      point,
      data: {
        message: "ok",
        code: 1,
        data: events
          .filter((event) => Date.parse(event.at) >= since)
          .map((event) => ({
            status: event.status,
            status_code: event.statusCode,
            createtime: serviceTime(Date.parse(event.at)),
            responsetime: event.responseTime,
          })),
      },
    })),
  };
}

export function customLineList(context: Context): JsonObject {
  // 40601 for a bad parameter, 7 for any domain that is not the caller's.
  const domain = domainOf(context, { badId: "40601", noSuchId: "7", noSuchName: "7", notOwner: "7" });
  const max = domain.customLineMax;
  return {
    data: {
      areas: domain.customLines.map((line) => ({
        domain_id: String(domain.id),
        name: line.name,
        area: line.area,
        use_count: line.useCount,
        max_count: max,
      })),
      available_count: Math.max(0, max - domain.customLines.length),
    },
  };
}
