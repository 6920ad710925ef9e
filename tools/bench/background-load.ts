import { measureThroughput } from './throughput.ts';

/**
 * Background load on a URL, in its own process: `background-load.ts <url> <callers>`. Runs until
 * the process is killed.
 */
const [url = '', callers = ''] = process.argv.slice(2);
// Reports to the parent that the load is running.
process.send?.((await measureThroughput(url, Number(callers), 1000)).perSecond);
await measureThroughput(url, Number(callers), Number.POSITIVE_INFINITY);
