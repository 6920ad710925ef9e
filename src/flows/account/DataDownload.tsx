import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { dataDownloadMachine } from '../../../machines/account/data-download.ts';
import { chakra } from '../../ui/chakra.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { Spinner } from '../../ui/Loading.tsx';
import { Notice } from '../../ui/Notice.tsx';
import type { Screens } from '../../views/FlowScreen.tsx';
import { ProblemNotice } from '../../views/ProblemNotice.tsx';
import { formatProblem } from '../../views/problem-text.ts';
import { Section } from './Section.tsx';

type Props = { actor: ActorRefFrom<typeof dataDownloadMachine> };

const Offer = ({ actor }: Props): ReactElement => {
  const { t } = useLingui();
  const { problem, saved } = useSelector(actor, ({ context }) => context);
  const busy = useSelector(actor, (state) => state.hasTag('busy'));
  return (
    <chakra.div display="grid" gap={4} justifyItems="start">
      <p>
        <Trans>Everything the shop keeps about you, as one file: your details, devices, purchases, wish list and places.</Trans>
      </p>
      {problem === null ? null : <ProblemNotice problem={problem}>{formatProblem(problem)}</ProblemNotice>}
      <Notice tone="success">{saved ? <Trans>The file is in your downloads.</Trans> : null}</Notice>
      <EventButton actor={actor} event={{ type: 'download.pressed' }} look="outline" disabled={busy}>
        {busy ? <Spinner aria-hidden /> : null}
        {busy ? t`Preparing the file…` : t`Download my data`}
      </EventButton>
    </chakra.div>
  );
};

const screens: Screens<typeof dataDownloadMachine> = {
  ready: Offer,
  preparing: Offer,
};

/** A download of the customer's own data. */
export const DataDownload = ({ actor }: Props): ReactElement => (
  <Section flow="dataDownload" actor={actor} screens={screens} heading={<Trans>Your data</Trans>} />
);
