/**
 * The provider text in the state of a dynamic provider's resource, the same for every program. If the package
 * is not installed, its error has a remedy, and no stack trace.
 */
export function providerText(type: string): string {
  const load = `require("module").createRequire(process.cwd()+"/")("pulumi-legacydns/runtime").dynamic(${JSON.stringify(type)},1)`;
  return `exports.handler=()=>{try{return ${load}}catch(e){e.stack="";e.message+="\\nRun npm install";throw e}}`;
}
