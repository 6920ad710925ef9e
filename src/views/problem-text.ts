import type { ReactElement } from 'react';
import type { Problem } from '../../machines/model/problem.ts';
import { outageText } from './outage-text.tsx';
import { refusalText } from './late/refusal-text.tsx';

/** What went wrong, in words that tell a customer what to do next. */
export const problemText = (problem: Problem): ReactElement =>
  problem.kind === 'refused' ? refusalText(problem) : outageText(problem);
