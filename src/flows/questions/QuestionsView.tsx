import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import * as v from 'valibot';
import type { ActorRefFrom } from 'xstate';
import type { questionsMachine } from '../../../machines/account/questions.ts';
import { withCustomFields } from '../../../machines/model/account/custom-form.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { chakra } from '../../ui/chakra.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { Page } from '../../ui/Page.tsx';
import { FormPage } from '../../views/lazy/FormPage.tsx';
import { FlowScreen, type Screens } from '../../views/FlowScreen.tsx';
import { useAppActor } from '../../views/app-actor.ts';
import { CustomFields } from '../../views/lazy/CustomFields.tsx';
import { LoadFailure } from '../../views/LoadFailure.tsx';

type Props = { actor: ActorRefFrom<typeof questionsMachine> };

const Fetching = (): ReactElement => (
  <Loading>
    <Trans>You’re signed in. One moment…</Trans>
  </Loading>
);

/** The form has no fields besides the store's own questions. */
const EmptyForm = v.object({});

/** The form; the typed answers stay while they are saved. */
const Form = ({ actor }: Props): ReactElement => {
  const { t } = useLingui();
  const app = useAppActor();
  const { name } = useBrand();
  const { customFields, fields, problem, pii } = useSelector(actor, ({ context }) => context);
  return (
    <FormPage
      actor={actor}
      name="answers"
      form={withCustomFields(EmptyForm, customFields)}
      heading={<Trans>Almost there</Trans>}
      above={
        <chakra.p textAlign="center" overflowWrap="anywhere">
          <Trans>You’re signed in. {name} would like to know a little more before you go on.</Trans>
        </chakra.p>
      }
      problem={problem}
      submitText={<Trans>Save and continue</Trans>}
      busyText={t`Saving…`}
      below={
        <EventButton actor={app} event={{ type: 'signOut.pressed' }} look="quiet">
          <Trans>Logout</Trans>
        </EventButton>
      }
    >
      <CustomFields fields={customFields} values={pii.answers} problems={fields} />
    </FormPage>
  );
};

const Failed = ({ actor }: Props): ReactElement => (
  <LoadFailure actor={actor} level={1} heading={<Trans>We couldn’t load the shop’s questions</Trans>} />
);

const screens: Screens<typeof questionsMachine> = {
  loading: Fetching,
  asking: Form,
  saving: Form,
  answered: Fetching,
  failed: Failed,
};

/** The store's questions to a customer who signed in with a provider or a telephone. */
export const QuestionsView = ({ actor }: Props): ReactElement => (
  <FlowScreen flow="questions" actor={actor} screens={screens}>
    {(screen) => <Page width="narrow">{screen}</Page>}
  </FlowScreen>
);
