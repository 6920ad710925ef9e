import type { ListQuery } from '../../../machines/model/list.ts';

/** The part of an address that narrows a list within its category, taken away. */
export const without = { search: '', pricefrom: '', priceto: '', free: '' } as const;

export const isNarrowed = ({ priceFrom, priceTo, free }: ListQuery): boolean => priceFrom !== null || priceTo !== null || free;
