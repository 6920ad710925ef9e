/** The data of a plan that its page's script reads; step 0 is a test's start. */
export type PlanInPage = {
  machine: string;
  plan: string;
  /** The browser's storage key of the results: each plan has its own. */
  key: string;
  steps: { test: number; step: number; by: string; does: string }[];
};

/**
 * Runs in the page of a plan: saves the tester's ticks, results and notes in the browser until they
 * are cleared, counts them, and exports them as a file. Serialised into the page as text, so it
 * uses nothing from outside itself.
 */
export function runPlan(): void {
  const { machine, plan, key, steps } = JSON.parse(document.querySelector('#plan')?.textContent ?? '') as PlanInPage;
  const form = document.querySelector('form');
  const progress = document.querySelector('#progress');
  if (!form || !progress) return;

  type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
  const fields = [...form.elements].filter((field): field is Field => 'name' in field && field.name !== '');
  const isCheckbox = (field: Field): field is HTMLInputElement => field instanceof HTMLInputElement && field.type === 'checkbox';
  const findField = (name: string): Field | undefined => fields.find((field) => field.name === name);
  const collectResults = () =>
    steps.map(({ test, step, by, does }) => {
      const prefix = `${test}.${step}.`;
      return {
        test,
        step,
        by,
        does,
        result: findField(`${prefix}result`)?.value ?? '',
        note: findField(`${prefix}note`)?.value ?? '',
      };
    });

  const readValues = (): Record<string, string> => {
    try {
      return JSON.parse(localStorage.getItem(key) ?? '{}') as Record<string, string>;
    } catch {
      return {};
    }
  };
  const saveValues = (): void => {
    const values = fields.map((field) => [field.name, isCheckbox(field) ? (field.checked ? 'on' : '') : field.value]);
    try {
      localStorage.setItem(key, JSON.stringify(Object.fromEntries(values.filter(([, value]) => value !== ''))));
    } catch {
      progress.setAttribute('data-unkept', '');
    }
  };

  const showProgress = (): void => {
    const results = collectResults();
    const count = (result: string): number => results.filter((each) => each.result === result).length;
    const finishedCount = results.length - count('');
    progress.textContent = `${finishedCount} of ${results.length} starts and steps done: ${count('passed')} passed, ${count('failed')} failed, ${count('blocked')} blocked`;
    for (const { test, step, result } of results) {
      form.querySelector(`[data-step="${test}.${step}"]`)?.setAttribute('data-result', result);
    }
  };

  const fillFields = (values: Record<string, string>): void => {
    for (const field of fields) {
      const value = values[field.name] ?? '';
      if (isCheckbox(field)) field.checked = value === 'on';
      else field.value = value;
    }
  };

  form.addEventListener('input', ({ target }) => {
    const field = target as Field;
    const step = field.closest('[data-step]');
    const boxes = [...(step?.querySelectorAll<HTMLInputElement>('input[type=checkbox]') ?? [])];
    const result = findField(`${step?.getAttribute('data-step') ?? ''}.result`);
    // When all boxes are ticked, the step is passed.
    const isAllSeen = boxes.every(({ checked }) => checked);
    if (result && isCheckbox(field)) {
      if (isAllSeen && result.value === '') result.value = 'passed';
      // A box that is cleared again revokes `passed`.
      if (!isAllSeen && result.value === 'passed') result.value = '';
    }
    // Passed means that every expected line was seen.
    if (field === result && result.value === 'passed') for (const each of boxes) each.checked = true;
    saveValues();
    showProgress();
  });
  form.addEventListener('submit', (event) => event.preventDefault());

  const downloadFile = (text: string, type: string, extension: string): void => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = `${plan}.results.${extension}`;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  // Escapes notes that begin like a formula, which a spreadsheet would evaluate.
  const formatCell = (value: string | number): string =>
    `"${String(value)
      .replace(/^(?=[=+@-])/, "'")
      .replaceAll('"', '""')}"`;
  const collectExpectedLines = (test: number, step: number) =>
    [...form.querySelectorAll<HTMLInputElement>(`[data-step="${test}.${step}"] input[type=checkbox]`)].map((box) => ({
      text: box.closest('label')?.textContent.trim() ?? '',
      seen: box.checked,
    }));
  const actions: Record<string, () => void> = {
    json: () => {
      const savedSteps = collectResults().map((each) => ({
        ...each,
        result: each.result || 'not done',
        sees: collectExpectedLines(each.test, each.step),
      }));
      const results = { machine, plan, savedAt: new Date().toISOString(), browser: navigator.userAgent, steps: savedSteps };
      downloadFile(`${JSON.stringify(results, null, 2)}\n`, 'application/json', 'json');
    },
    csv: () => {
      const joinUnseenLines = (test: number, step: number): string =>
        collectExpectedLines(test, step)
          .flatMap(({ text, seen }) => (seen ? [] : [text]))
          .join(' | ');
      const rows = collectResults().map(({ test, step, by, does, result, note }) => [
        test,
        step,
        by,
        does,
        result,
        result === '' ? '' : joinUnseenLines(test, step),
        note,
      ]);
      const lines = [['test', 'step', 'by', 'does', 'result', 'not seen', 'note'], ...rows].map((row) =>
        row.map(formatCell).join(','),
      );
      downloadFile(`\uFEFF${lines.join('\r\n')}\r\n`, 'text/csv', 'csv');
    },
    clear: () => {
      if (!confirm('Clear all results and notes of this plan?')) return;
      fillFields({});
      saveValues();
      showProgress();
    },
  };
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-action]')) {
    button.addEventListener('click', () => actions[button.dataset['action'] ?? '']?.());
  }

  const restoreValues = (): void => {
    fillFields(readValues());
    showProgress();
  };
  // The plan may be open in two tabs; and changes made just before a reload may arrive after the
  // page has started.
  addEventListener('storage', (event) => {
    if (event.key === key || event.key === null) restoreValues();
  });
  restoreValues();
  document.documentElement.setAttribute('data-runs', '');
}
