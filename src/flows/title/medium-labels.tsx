import { Trans } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import type { Medium } from '../../../machines/model/catalogue/title.ts';

/** The text of the button that opens an owned or included title, by medium. */
export const readLabels: Record<Medium, ReactElement> = {
  epub: <Trans>Read</Trans>,
  pdf: <Trans>Read</Trans>,
  audio: <Trans>Listen</Trans>,
  video: <Trans>Watch</Trans>,
  interactive: <Trans context="an interactive title">Play</Trans>,
};

export const sampleLabels: Record<Medium, ReactElement> = {
  epub: <Trans>Read a sample</Trans>,
  pdf: <Trans>Read a sample</Trans>,
  audio: <Trans>Listen to a sample</Trans>,
  video: <Trans>Watch a sample</Trans>,
  interactive: <Trans>Play a sample</Trans>,
};

export const formatLabels: Record<Medium, ReactElement> = {
  epub: <Trans>eBook (EPUB)</Trans>,
  pdf: <Trans>eBook (PDF)</Trans>,
  audio: <Trans>Audiobook</Trans>,
  video: <Trans>Video</Trans>,
  interactive: <Trans>Interactive story</Trans>,
};
