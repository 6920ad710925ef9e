import { use, type ReactElement, type ReactNode } from 'react';
import type { Problem } from '../../machines/model/problem.ts';
import { FailureFoot } from '../ui/Message.tsx';
import { Notice } from '../ui/Notice.tsx';

/** The server did not say no: it failed, or could not be reached. */
const isFailure = ({ kind }: Problem): boolean => kind !== 'refused' && kind !== 'unauthorized';

/** What was pressed may be far below: from the button of its form, the keyboard goes on at what is wrong with it. */
const bringIntoView = (notice: HTMLElement | null): void => {
  notice?.scrollIntoView?.({ block: 'nearest' });
  const { activeElement: active } = document;
  const isOfItsForm = active?.matches('[type=submit]') === true && notice?.parentElement?.contains(active) === true;
  if (active === document.body || isOfItsForm) notice?.focus({ preventScroll: true });
};

/** Why something that was pressed did not happen; `children` are the words. */
export const ProblemNotice = ({ problem, children }: { problem: Problem; children: ReactNode }): ReactElement => (
  <Notice tone="danger" justifyItems="start" ref={bringIntoView} tabIndex={-1} scrollMarginTop="9rem" scrollMarginBottom="2rem">
    {children}
    {isFailure(problem) ? use(FailureFoot) : null}
  </Notice>
);
