const [leastMajor, leastMinor] = [22, 19];

/** Says why a version of Node can't run an embedded mock, and what to do; undefined if it can. */
export function explainNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return undefined;
  return `sitepub/mock needs Node ${leastMajor}.${leastMinor} or newer, but this is Node ${version}; use a newer version, for example Node 24`;
}

const problem = explainNode(process.versions.node);
if (problem !== undefined) {
  const error = new Error(problem);
  // A stack trace would only distract from the message.
  error.stack = String(error);
  throw error;
}
