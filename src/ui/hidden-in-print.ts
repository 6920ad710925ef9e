/** Hides elements in print that are useless there. */
export const hiddenInPrint = { '@media print': { display: 'none' } } as const;
