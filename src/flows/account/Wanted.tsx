import type { ReactElement } from 'react';
import { useSearch } from 'wouter';
import { chakra } from '../../ui/chakra.ts';

/** With the focus, so that the keyboard goes on from there and not from the top of the page. */
const goTo = (node: HTMLElement | null): void => {
  node?.scrollIntoView?.({ block: 'center' });
  node?.focus({ preventScroll: true });
};

/** Brings a part of the account into view, once, when it comes, for whoever has come for it. */
export const Wanted = ({ part }: { part: 'credits' | 'ways' }): ReactElement | null => {
  const isWanted = new URLSearchParams(useSearch()).get('part') === part;
  return isWanted ? <chakra.span ref={goTo} tabIndex={-1} display="block" outline="none" /> : null;
};
