import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { detailsMachine } from '../../../machines/account/details.ts';
import { withCustomFields } from '../../../machines/model/account/custom-form.ts';
import { DetailsForm } from '../../../machines/model/account/details.ts';
import { chakra } from '../../ui/chakra.ts';
import { Loading } from '../../ui/Loading.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Sheet } from '../../ui/Page.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { CustomFields } from '../../views/lazy/CustomFields.tsx';
import { formatFieldProblem } from '../../views/lazy/field-problem-text.tsx';
import type { Screens } from '../../views/FlowScreen.tsx';
import { LoadFailure } from '../../views/LoadFailure.tsx';
import { ProblemNotice } from '../../views/ProblemNotice.tsx';
import { formatProblem } from '../../views/problem-text.ts';
import { MachineForm, SendButton } from '../../views/MachineForm.tsx';
import { Section } from './Section.tsx';

type Props = { actor: ActorRefFrom<typeof detailsMachine> };

const Fetching = (): ReactElement => (
  <Loading>
    <Trans>Loading your details…</Trans>
  </Loading>
);

/** The form; the typed values stay while they are saved. */
const Form = ({ actor }: Props): ReactElement => {
  const { t } = useLingui();
  const { customFields, fields, problem, saved, pii } = useSelector(actor, ({ context }) => context);
  return (
    <Sheet display="grid" gap={5}>
      {problem === null ? null : <ProblemNotice problem={problem}>{formatProblem(problem)}</ProblemNotice>}
      <MachineForm actor={actor} name="details" form={withCustomFields(DetailsForm, customFields)} maxWidth="26rem">
        <TextField
          name="name"
          autoComplete="name"
          label={t`Your name`}
          defaultValue={pii.answers?.name ?? ''}
          problem={formatFieldProblem(fields['name'])}
        />
        <CustomFields fields={customFields} values={pii.answers?.custom ?? {}} problems={fields} />
        <chakra.div display="flex" flexWrap="wrap" alignItems="center" gap={4}>
          <SendButton actor={actor} event="details.submitted" busyText={t`Saving…`}>
            <Trans>Save</Trans>
          </SendButton>
          <Notice tone="success">{saved ? <Trans>Saved.</Trans> : null}</Notice>
        </chakra.div>
      </MachineForm>
    </Sheet>
  );
};

const Failed = ({ actor }: Props): ReactElement => (
  <LoadFailure actor={actor} level={2} heading={<Trans>We couldn’t load your details</Trans>} />
);

const screens: Screens<typeof detailsMachine> = {
  loading: Fetching,
  asking: Form,
  saving: Form,
  failed: Failed,
};

/** The details that the shop has about the customer. */
export const Details = ({ actor }: Props): ReactElement => (
  <Section flow="details" actor={actor} screens={screens} heading={<Trans>Your details</Trans>} />
);
