/**
 * A short order number that can be read out: the first eight digits of a UUID, in groups of four.
 * Other ids are returned unchanged.
 */
export const formatOrderNumber = (transId: string): string => {
  const [, first, second] = /^([0-9a-f]{4})([0-9a-f]{4})(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.exec(transId) ?? [];
  return first === undefined ? transId : `${first}-${second}`.toUpperCase();
};
