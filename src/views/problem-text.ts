import type { ReactElement } from 'react';
import type { Problem } from '../../machines/model/problem.ts';
import { formatOutage } from './outage-text.tsx';
import { formatRefusal } from './lazy/refusal-text.tsx';

/** Text for a Problem, with what the customer can do next. */
export const formatProblem = (problem: Problem): ReactElement =>
  problem.kind === 'refused' ? formatRefusal(problem) : formatOutage(problem);
