/** For what is of no use on paper. */
export const offPaper = { '@media print': { display: 'none' } } as const;
