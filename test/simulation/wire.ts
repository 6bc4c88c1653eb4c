/** Reads the texts of calls and answers. */

export const loginCodes = /"code":"(-1|-8|10001|10002|5[0-4]|83|85)"/;
export const undocumentedCode = /^200 \{"status":\{"code":"(?!(?:1|-99|-4|-3|2|3|8)")([^"]*)"/;

export function isWhole(answer: string): boolean {
  try {
    JSON.parse(answer.slice(answer.indexOf(" ")));
    return true;
  } catch {
    return false;
  }
}

export function briefly(params: Readonly<Record<string, string>>) {
  const { login_token: _token, format: _format, length: _length, offset: _offset, ...rest } = params;
  return Object.entries(rest)
    .map(([key, value]) => `${key}=${value.slice(0, 200)}`)
    .join(" ");
}
