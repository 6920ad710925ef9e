import { use, type ReactElement, type ReactNode } from 'react';
import type { Problem } from '../../machines/model/problem.ts';
import { FailureFoot } from '../ui/Message.tsx';
import { Notice } from '../ui/Notice.tsx';

/** The server did not say no: it failed, or could not be reached. */
const isFailure = ({ kind }: Problem): boolean => kind !== 'refused' && kind !== 'unauthorized';

/** Why something that was pressed did not happen; `children` are the words. */
export const ProblemNotice = ({ problem, children }: { problem: Problem; children: ReactNode }): ReactElement => (
  <Notice tone="danger" justifyItems="start">
    {children}
    {isFailure(problem) ? use(FailureFoot) : null}
  </Notice>
);
