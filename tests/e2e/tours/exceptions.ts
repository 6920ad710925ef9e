/**
 * Transitions that no generated walk takes in the browser, each with the reason; at most 2% of a
 * machine, and no action of a customer.
 */
export const exceptions: Record<string, Record<string, string>> = {};
