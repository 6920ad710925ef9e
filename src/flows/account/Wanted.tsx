import type { ReactElement } from 'react';
import { useSearch } from 'wouter';
import { chakra } from '../../ui/chakra.ts';

const bringIntoView = (node: HTMLElement | null): void => node?.scrollIntoView({ block: 'center' });

/** Brings a part of the account into view, once, when it comes, for whoever has come for it. */
export const Wanted = ({ part }: { part: 'credits' | 'ways' }): ReactElement | null => {
  const isWanted = new URLSearchParams(useSearch()).get('part') === part;
  return isWanted ? <chakra.span ref={bringIntoView} display="block" /> : null;
};
