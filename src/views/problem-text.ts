import type { ReactElement } from 'react';
import type { Problem } from '../../machines/model/problem.ts';
import { outageText } from './outage-text.tsx';
import { refusalText } from './late/refusal-text.tsx';

/** Text for a Problem, with what the customer can do next. */
export const problemText = (problem: Problem): ReactElement =>
  problem.kind === 'refused' ? refusalText(problem) : outageText(problem);
