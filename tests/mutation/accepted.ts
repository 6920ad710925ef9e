/**
 * Changes of machines that no test needs to notice, each by its key, as `npm run mutate` prints it, and with the reason: nobody
 * can tell the changed machine from the other one.
 */
export const accepted: Readonly<Record<string, string>> = {};
