import { Trans } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import type { Problem } from '../../../machines/model/problem.ts';
import { formatProblem } from '../../views/problem-text.ts';

/** Why a title, or a part of it, is refused, by the error code. */
const refusalTexts: Record<string, ReactElement> = {
  not_found: <Trans>A file is missing from this title.</Trans>,
  no_chapter: <Trans>None of this book’s chapters could be loaded.</Trans>,
  broken_book: <Trans>This title’s file is damaged.</Trans>,
  book_too_deep: <Trans>This title’s file is too complex to be opened here.</Trans>,
  book_too_large: <Trans>This title’s file is too large to be opened here.</Trans>,
  book_too_many: <Trans>This title’s file has too many parts to be opened here.</Trans>,
  book_protected: <Trans>This title’s file is copy-protected and can’t be opened here.</Trans>,
  format_unsupported: <Trans>It is in a format that can’t be shown here.</Trans>,
  no_sound_output: <Trans>This device has no sound output. Connect speakers or headphones, and try again.</Trans>,
  media_denied: (
    <Trans>The link to this title’s file has expired, and there’s no new one yet. Please try again in a moment.</Trans>
  ),
  busy: <Trans>Many people are opening titles right now. Please try again shortly.</Trans>,
};

/** Text for a Problem during reading or playback. */
export const formatReadingProblem = (problem: Problem): ReactElement =>
  (problem.kind === 'refused' ? refusalTexts[problem.code] : undefined) ?? formatProblem(problem);
