/** Texts of handing the journal on to an accountant's program. */
export const handOn = {
  handOn: {
    title: 'Entregar a la asesoría',
    open: 'Entregar el diario a su programa',
    text: 'El diario, las cuentas y el [tax] en el formato que importa el programa de tu asesoría. Entregar no cambia nada de tus libros.',
    settings: {
      title: 'Programa de la asesoría',
      none: 'Pregunta a tu asesoría qué programa usa y con cuántos dígitos lleva las cuentas.',
      edit: 'Cambiar',
      save: 'Guardar',
      saved: 'Programa guardado',
      format: 'Programa',
      digits: 'Dígitos de las cuentas',
      firstCustomer: 'Primer número de cliente',
      firstSupplier: 'Primer número de proveedor',
      companyCode: 'Código de la empresa allí',
      encoding: 'Codificación',
      recordLength: 'Longitud del registro',
      journal: 'Diario de allí',
      closingEntries: 'Incluir la regularización y el cierre del año',
      confirmed: 'La asesoría ha confirmado estos datos',
      summary: '{name} · {digits} dígitos',
      source: 'De dónde sale el formato: {source}',
    },
    sure: {
      published: 'Formato publicado por su fabricante',
      reader: 'Un programa público lee este formato; el fabricante no lo publica del todo',
      believed: 'Formato supuesto: pruébalo antes con pocos asientos',
    },
    untried:
      'Sello no ha probado ningún fichero en el programa. Haz la primera importación en una empresa de prueba.',
    how: {
      title: 'Cómo se importa allí',
      a3: 'En a3, Utilidades, Importar/Exportar, Enlace contable: elige la empresa y la carpeta con SUENLACE.DAT. Antes copia la empresa.',
      contaplus:
        'Descomprime el archivo. En Sage 50 o ContaPlus, Utilidades, Importaciones, Ficheros de ContaPlus: elige XDiario.txt y XSubCta.txt. El programa numera los asientos a su manera.',
      contasol:
        'Descomprime el archivo. En ContaSOL, Utilidades, Importación, Archivos .XLSX: deja en una carpeta MAE, APU, IVR e IVS y elígela. El nivel de las cuentas debe ser el mismo.',
      holded:
        'En Holded, Importar, Diario: sube Diario.xlsx. Antes pon allí los mismos dígitos de cuenta, y no subas también las facturas: se duplicarían.',
      odoo: 'Descomprime el archivo. En Odoo, Favoritos, Importar registros: primero las cuentas, después los contactos y al final los asientos, con «Probar» antes. Llegan en borrador.',
      csv: 'Tres tablas con punto y coma: cuentas, diario e [tax]. Las columnas están en la documentación.',
    },
    period: {
      title: 'Qué se entrega',
      year: 'Año',
      quarter: 'Trimestre',
      whole: 'Todo el año',
      all: 'También lo que ya se entregó y no ha cambiado',
      look: 'Comprobar',
      create: 'Entregar y descargar',
      busy: 'Preparando el fichero',
      entries: '{count} asientos | Un asiento | {count} asientos',
      lines: '{count} apuntes | Un apunte | {count} apuntes',
      total: 'Debe y haber',
      accounts: '{count} cuentas | Una cuenta | {count} cuentas',
      known:
        '{count} ya entregados, sin cambios | Uno ya entregado, sin cambios | {count} ya entregados, sin cambios',
      nothing: 'No hay asientos nuevos ni cambiados en estos días.',
      handed: 'Entregado: {file}',
      failed: 'Se anotó la entrega, pero el fichero no se descargó: descárgalo de la lista.',
    },
    newAccounts:
      '{count} cuentas nuevas para la asesoría | Una cuenta nueva para la asesoría | {count} cuentas nuevas para la asesoría',
    different: 'Entregados antes, y distintos desde entonces',
    differentText: 'Cámbialos o bórralos también en el programa de la asesoría.',
    changed: 'Asiento {number}: ha cambiado',
    undone: 'Asiento {number}: ya no existe',
    faults: '{count} avisos | Un aviso | {count} avisos',
    more: 'Y {count} más | Y uno más | Y {count} más',
    error: 'Impide entregar',
    accounts: {
      title: 'Cuentas de clientes y proveedores',
      text: 'Cada uno recibe un número la primera vez y lo conserva. Si la asesoría ya tiene los suyos, escríbelos o pega su lista.',
      find: 'Nombre, NIF o cuenta',
      none: 'Todavía no hay cuentas con número: se dan al entregar.',
      noMatch: 'Nadie coincide.',
      general: 'Cuenta general',
      account: 'Cuenta de {name}',
      save: 'Guardar la cuenta de {name}',
      saved: 'Cuenta guardada',
      misfit: 'no cabe en los dígitos',
      list: 'Pegar una lista',
      listTitle: 'Lista de la asesoría',
      listText: 'Dos columnas: NIF y cuenta. Por ejemplo, B87654323;43000012',
      listLook: 'Comprobar la lista',
      listSave: 'Guardar las cuentas',
      listSaved: '{count} cuentas guardadas | Una cuenta guardada | {count} cuentas guardadas',
      change: '{name}: {before} → {after}',
      nothing: 'La lista no cambia nada.',
      map: 'Cuenta de la asesoría para la {account}',
      mapSave: 'Usar esta',
    },
    runs: {
      title: 'Entregas',
      none: 'Todavía no se ha entregado nada.',
      row: '{name}, {from} a {to}',
      facts: '{entries} asientos, del {first} al {last}, {when}',
      gone: '{count} ya no están | Uno ya no está | {count} ya no están',
      download: 'Descargar otra vez',
      discard: 'Olvidar',
      discardTitle: '¿Olvidar esta entrega?',
      discardText: 'Sus asientos vuelven a proponerse. Hazlo solo si la asesoría no importó el fichero.',
      discarded: 'Entrega olvidada',
    },
  },
}

/** The faults of files and settings. */
export const handOnFaults = {
  hand_on_digits_short:
    'La cuenta {account} tiene más dígitos que las de la asesoría: escribe la que usa para ella o elige más dígitos',
  hand_on_typed_digits:
    'La cuenta escrita, {account}, tiene otros dígitos que las de la asesoría: escríbela otra vez',
  hand_on_numbers_full:
    'No quedan números en el grupo {account} con esos dígitos: elige más dígitos o un primer número menor',
  hand_on_characters:
    'Windows-1252 no tiene caracteres de {count} textos y se han cambiado, como en {example}: revisa los nombres allí',
  hand_on_unconfirmed: 'La asesoría no ha confirmado aún dígitos, códigos y longitudes: pregúntale y márcalo',
  hand_on_vat_by_hand:
    'El [tax] de esta factura no va en el fichero, solo sus apuntes: anótala a mano en el libro de [tax] del otro programa',
  hand_on_cash_accounting:
    'Factura en criterio de caja: va como apuntes sin [tax]. Anótala en el libro de [tax] del otro programa con su marca',
  hand_on_replaces:
    'Factura que sustituye a otras: va como apuntes. Quita las anteriores del libro de [tax] del otro programa y anota esta',
  hand_on_reversed:
    'El asiento de una factura se deshizo: quita la factura del libro de [tax] del otro programa',
  hand_on_number_cut:
    'El número de la factura no cabe y se ha dejado su final: comprueba allí que no coincida con otro',
  hand_on_too_many_rates:
    'La factura tiene más de tres tipos de [tax]: anótala a mano en el libro de [tax] del otro programa',
  hand_on_long_entry: 'El asiento tiene más líneas de las que admite el otro programa: divídelo',
  hand_on_entry_number_large: 'El número del asiento no cabe: entrega el año aparte, desde el asiento 1',
  hand_on_amount_too_large: 'Un importe del asiento no cabe en el formato: usa otro formato',
  hand_on_two_periods: 'Hay días y año a la vez: envía solo una cosa',
  hand_on_no_period: 'Faltan los días: envía desde y hasta, o un año',
  hand_on_digits_of_format: 'Este programa lleva de {min} a {max} dígitos',
  hand_on_first_too_long: 'Ese número no cabe detrás de 430 con esos dígitos',
  hand_on_encoding: 'Este formato tiene otra codificación',
  hand_on_record_length: 'Este formato no tiene registros de esa longitud',
  hand_on_company_code: 'Ese no es un código de empresa de este programa: pregúntalo a la asesoría',
  hand_on_journal: 'Ese no es un diario de este programa: pregúntalo a la asesoría',
  hand_on_list_long: 'La lista pasa de {max} filas: envíala por partes',
  hand_on_list_row: 'La fila {row} no es un NIF y una cuenta',
  hand_on_list_double: 'Varios contactos tienen el NIF {nif} (fila {row}): combínalos antes',
  hand_on_list_unknown: 'Ningún contacto tiene el NIF {nif} (fila {row})',
  hand_on_no_contact: 'Ese contacto no existe',
  hand_on_account_needed: 'Quien tiene cuenta la conserva: escribe otra',
  hand_on_account_digits: 'La cuenta {account} no tiene {digits} dígitos',
  hand_on_account_group: 'Las cuentas del grupo {account} no son de contactos: usa 400, 410 o 430',
  hand_on_account_taken: 'La cuenta {account} ya se dio, y un número no se da dos veces: escribe otra',
}
