import { questionsMachine, type AnswersForm, type Questions } from '../../../machines/account/questions.ts';
import { hasOpenField } from '../../../machines/model/account/custom-field.ts';
import { requestPort } from '../../../machines/ports.ts';
import { saveAnswers, userDetails } from '../../client/account/details.ts';
import { requireForm } from '../../client/account/start-session.ts';
import type { World } from '../../shell/app/world.ts';

export const flow = ({ api }: World) =>
  questionsMachine.provide({
    actors: {
      loadQuestions: requestPort<Questions>(async ({ signal }) => {
        const details = await userDetails(await api(), signal);
        return { ...details, isOpen: hasOpenField(details.customFields, details.pii.custom) };
      }),
      saveAnswers: requestPort<object, { pii: { form: AnswersForm | null } }>(async ({ input, signal }) =>
        saveAnswers(await api(), requireForm(input.pii.form).custom, signal),
      ),
    },
  });
