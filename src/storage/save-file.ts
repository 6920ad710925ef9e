/** Milliseconds that the browser may take to write a file. */
const maxWriteMs = 60_000;

/** Downloads JSON as a file. */
export const saveFile = (name: string, json: string): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([json], { type: 'application/json' }));
  link.download = `${name}-${new Date().toISOString().slice(0, 10)}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), maxWriteMs);
};
