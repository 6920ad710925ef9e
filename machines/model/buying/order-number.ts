/** The number of a purchase as it is read out: the beginning of a random id, in groups of four; any other number as it is. */
export const shortNumber = (transId: string): string => {
  const [, first, second] = /^([0-9a-f]{4})([0-9a-f]{4})(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.exec(transId) ?? [];
  return first === undefined ? transId : `${first}-${second}`.toUpperCase();
};
