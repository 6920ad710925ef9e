/** Hides an element in print, such as a button. */
export const hiddenInPrint = { '@media print': { display: 'none' } } as const;
