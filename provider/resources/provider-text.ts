/** What the state of a dynamic provider's resource keeps. */

/**
 * The text that the state keeps as a resource's provider: constant, whatever the program is, and short. What it throws has
 * no stack, which the host would print, and ends with what to do where the package is not installed.
 */
export function providerText(type: string): string {
  const load = `require("module").createRequire(process.cwd()+"/")("pulumi-legacydns/runtime").dynamic(${JSON.stringify(type)},1)`;
  return `exports.handler=()=>{try{return ${load}}catch(e){e.stack="";e.message+="\\nRun npm install";throw e}}`;
}
