import { throughput } from './throughput.ts';

/** Others who keep asking for an address, in a process of their own: `others.ts <url> <callers>`. They go on until the process is ended. */
const [url = '', callers = ''] = process.argv.slice(2);
// From here on they have come.
process.send?.((await throughput(url, Number(callers), 1000)).perSecond);
await throughput(url, Number(callers), Number.POSITIVE_INFINITY);
