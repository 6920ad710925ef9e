/** Milliseconds for which the browser may take its time to write a file. */
const longestWrite = 60_000;

/** Hands the customer JSON as a file of their own. */
export const saveFile = (name: string, json: string): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([json], { type: 'application/json' }));
  link.download = `${name}-${new Date().toISOString().slice(0, 10)}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), longestWrite);
};
