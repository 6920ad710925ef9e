import { Trans } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import type { Problem } from '../../../machines/model/problem.ts';
import { problemText } from '../../views/problem-text.ts';

/** Why the shop gives none of a title, or a part of it, by the code of its refusal. */
const refusals: Record<string, ReactElement> = {
  not_found: <Trans>A file of this title is missing at the shop.</Trans>,
  no_chapter: <Trans>None of the chapters of this book could be loaded.</Trans>,
  broken_book: <Trans>The file of this title is damaged.</Trans>,
  book_too_deep: <Trans>The file of this title is nested more deeply than this shop can read.</Trans>,
  book_too_large: <Trans>The file of this title is larger than this shop can read.</Trans>,
  book_too_many: <Trans>The file of this title has more parts than this shop can read.</Trans>,
  book_protected: <Trans>The file of this title is copy-protected and cannot be opened here.</Trans>,
  media_denied: <Trans>The shop does not open the files of this title at the moment.</Trans>,
  busy: <Trans>The shop is busy with other books. Try again in a few minutes.</Trans>,
};

/** What went wrong while a title was read or played. */
export const readingProblemText = (problem: Problem): ReactElement =>
  (problem.kind === 'refused' ? refusals[problem.code] : undefined) ?? problemText(problem);
