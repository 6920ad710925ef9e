import type { ReactElement } from 'react';
import type { Problem } from '../../machines/model/problem.ts';
import { formatOutage } from './outage-text.tsx';
import { formatRefusal } from './lazy/refusal-text.tsx';

/** The text for a Problem, and about how the customer can continue. */
export const formatProblem = (problem: Problem): ReactElement =>
  problem.kind === 'refused' ? formatRefusal(problem) : formatOutage(problem);
