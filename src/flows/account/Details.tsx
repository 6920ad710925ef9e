import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom, StateValueFrom } from 'xstate';
import type { detailsMachine } from '../../../machines/account/details.ts';
import { withCustomFields } from '../../../machines/model/custom-form.ts';
import { DetailsForm } from '../../../machines/model/details.ts';
import { SubmitButton } from '../../ui/SubmitButton.tsx';
import { chakra } from '../../ui/chakra.ts';
import { Loading } from '../../ui/Loading.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Sheet } from '../../ui/Page.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { CustomFields } from '../../views/late/CustomFields.tsx';
import { fieldProblemText } from '../../views/late/field-problem-text.tsx';
import { LoadFailure } from '../../views/LoadFailure.tsx';
import { ProblemNotice } from '../../views/ProblemNotice.tsx';
import { problemText } from '../../views/problem-text.ts';
import { submitForm } from '../../views/submit-form.ts';
import { Section } from './Section.tsx';

type Props = { actor: ActorRefFrom<typeof detailsMachine> };

const Fetching = (): ReactElement => (
  <Loading>
    <Trans>Loading your details…</Trans>
  </Loading>
);

/** What was typed stays while it is saved. */
const Form = ({ actor }: Props): ReactElement => {
  const { t } = useLingui();
  const { customFields, fields, problem, saved, pii } = useSelector(actor, ({ context }) => context);
  const busy = useSelector(actor, (state) => state.hasTag('busy'));
  return (
    <Sheet display="grid" gap={5}>
      {problem === null ? null : <ProblemNotice problem={problem}>{problemText(problem)}</ProblemNotice>}
      <chakra.form
        noValidate
        onSubmit={submitForm(actor, 'details', withCustomFields(DetailsForm, customFields), busy)}
        display="grid"
        gap={5}
        maxWidth="26rem"
        aria-busy={busy}
      >
        <TextField
          name="name"
          autoComplete="name"
          label={t`Your name`}
          defaultValue={pii.answers?.name ?? ''}
          problem={fieldProblemText(fields['name'])}
        />
        <CustomFields fields={customFields} values={pii.answers?.custom ?? {}} problems={fields} />
        <chakra.div display="flex" flexWrap="wrap" alignItems="center" gap={4}>
          <SubmitButton event="details.submitted" busy={busy} waits={t`Saving…`}>
            <Trans>Save</Trans>
          </SubmitButton>
          <Notice tone="success">{saved ? <Trans>Saved.</Trans> : null}</Notice>
        </chakra.div>
      </chakra.form>
    </Sheet>
  );
};

const Failed = ({ actor }: Props): ReactElement => (
  <LoadFailure actor={actor} level={2} heading={<Trans>We couldn’t load your details</Trans>} />
);

const screens: Record<StateValueFrom<typeof detailsMachine>, (props: Props) => ReactElement> = {
  loading: Fetching,
  asking: Form,
  saving: Form,
  failed: Failed,
};

/** What the shop knows of the customer. */
export const Details = ({ actor }: Props): ReactElement => {
  const value = useSelector(actor, (state) => state.value);
  const Screen = screens[value];
  return (
    <Section name="details" value={value} heading={<Trans>Your details</Trans>}>
      <Screen actor={actor} />
    </Section>
  );
};
