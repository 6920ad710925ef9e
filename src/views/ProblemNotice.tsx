import { use, type ReactElement, type ReactNode } from 'react';
import type { Problem } from '../../machines/model/problem.ts';
import { FailureFoot } from '../ui/Message.tsx';
import { Notice } from '../ui/Notice.tsx';

/** The server did not say no: it failed, or could not be reached. */
const isFailure = ({ kind }: Problem): boolean => kind !== 'refused' && kind !== 'unauthorized';

/** What was pressed may be far below; a button that could not be pressed meanwhile has lost the focus. */
const bringIntoView = (notice: HTMLElement | null): void => {
  notice?.scrollIntoView?.({ block: 'nearest' });
  if (document.activeElement === document.body) notice?.focus({ preventScroll: true });
};

/** Why something that was pressed did not happen; `children` are the words. */
export const ProblemNotice = ({ problem, children }: { problem: Problem; children: ReactNode }): ReactElement => (
  <Notice tone="danger" justifyItems="start" ref={bringIntoView} tabIndex={-1} scrollMarginTop="9rem" scrollMarginBottom="2rem">
    {children}
    {isFailure(problem) ? use(FailureFoot) : null}
  </Notice>
);
