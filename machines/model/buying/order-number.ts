/**
 * A short order number for reading out: the first digits of a random id, in groups of four; other
 * ids are returned unchanged.
 */
export const formatOrderNumber = (transId: string): string => {
  const [, first, second] = /^([0-9a-f]{4})([0-9a-f]{4})(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.exec(transId) ?? [];
  return first === undefined ? transId : `${first}-${second}`.toUpperCase();
};
