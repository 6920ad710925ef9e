import { questionsMachine, type AnswersForm, type Questions } from '../../../machines/account/questions.ts';
import { hasMissingField } from '../../../machines/model/account/custom-field.ts';
import { requestPort } from '../../../machines/ports.ts';
import { saveAnswers, fetchUserDetails } from '../../client/account/details.ts';
import { requireForm } from '../../client/account/start-session.ts';
import type { AppEnvironment } from '../../shell/app/environment.ts';

export const flow = ({ api }: AppEnvironment) =>
  questionsMachine.provide({
    actors: {
      loadQuestions: requestPort<Questions>(async ({ signal }) => {
        const details = await fetchUserDetails(await api(), signal);
        return { ...details, isOpen: hasMissingField(details.customFields, details.pii.custom) };
      }),
      saveAnswers: requestPort<object, { pii: { form: AnswersForm | null } }>(async ({ input, signal }) =>
        saveAnswers(await api(), requireForm(input.pii.form).custom, signal),
      ),
    },
  });
