/** Hides elements in print that are useless there. */
export const offPaper = { '@media print': { display: 'none' } } as const;
