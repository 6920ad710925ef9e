/**
 * Creates a PDF of two pages. The first has a text field `10R`, a password field `13R`, which the
 * second page shows as `14R`, and a checkbox `12R`. The document and the text field have scripts
 * that would name the window "scripted".
 * @param title distinguishes editions of the document
 */
export const createFormPdf = (title = 'A form'): Buffer => {
  const script = '<< /S /JavaScript /JS (app.alert\\(1\\); this.name = "scripted"; window.name = "scripted") >>';
  const formatWidget = (entries: string, bottom: number, page = 3, height = 24) =>
    `<< /Type /Annot /Subtype /Widget /F 4 /P ${page} 0 R /DA (/F1 12 Tf 0 g) /Rect [60 ${bottom} 260 ${bottom + height}] ${entries} >>`;
  const form = '<< /Type /XObject /Subtype /Form /BBox [0 0 24 24] /Length 0 >>\nstream\n\nendstream';
  const formatPage = (annotations: string) =>
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 420 595] /Resources << /Font << /F1 5 0 R >> >> /Annots [${annotations}] >>`;
  const objects: Record<number, string> = {
    1: `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [10 0 R 11 0 R 12 0 R] /DA (/F1 12 Tf 0 g) /DR << /Font << /F1 5 0 R >> >> >> /OpenAction ${script} >>`,
    2: '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>',
    3: formatPage('10 0 R 13 0 R 12 0 R'),
    4: formatPage('14 0 R'),
    5: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    6: `<< /Title (${title}) >>`,
    7: form,
    10: formatWidget(`/FT /Tx /T (name) /AA << /K ${script} /F ${script} /V ${script} >>`, 400),
    11: '<< /FT /Tx /T (secret) /Ff 8192 /Kids [13 0 R 14 0 R] >>',
    13: formatWidget('/Parent 11 0 R', 350),
    14: formatWidget('/Parent 11 0 R', 350, 4),
    12: formatWidget('/FT /Btn /T (agreed) /AS /Off /AP << /N << /Yes 7 0 R /Off 7 0 R >> >>', 300),
  };
  let file = '%PDF-1.5\n';
  const offsets: Record<number, number> = {};
  for (const [number, body] of Object.entries(objects)) {
    offsets[Number(number)] = file.length;
    file += `${number} 0 obj\n${body}\nendobj\n`;
  }
  const rows = Array.from({ length: 15 }, (_, index) => {
    const offset = offsets[index];
    return offset === undefined ? '0000000000 65535 f \n' : `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const id = Buffer.from(title.padEnd(16).slice(0, 16)).toString('hex');
  file += `xref\n0 15\n${rows.join('')}trailer\n<< /Size 15 /Root 1 0 R /Info 6 0 R /ID [<${id}> <${id}>] >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
};
