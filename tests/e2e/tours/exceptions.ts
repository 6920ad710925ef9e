/** Transitions that no browser tour takes, each with the reason; at most 2% of a machine, and nothing that a customer does. */
export const exceptions: Record<string, Record<string, string>> = {};
