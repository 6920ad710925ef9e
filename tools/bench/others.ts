import { throughput } from './throughput.ts';

/**
 * Background load on an address, in its own process: `others.ts <url> <callers>`. Runs until the
 * process is killed.
 */
const [url = '', callers = ''] = process.argv.slice(2);
// Reports to the parent that the load is running.
process.send?.((await throughput(url, Number(callers), 1000)).perSecond);
await throughput(url, Number(callers), Number.POSITIVE_INFINITY);
