/** Every error code as what happened and what to do; and the faults of single fields. */
import { erpErrors } from './erp.ts'
import { lockErrors } from './lock.ts'
import { faults } from './faults.ts'

export const errors = {
  errors: {
    ...erpErrors,
    ...lockErrors,
    offline: {
      title: 'Sello no responde',
      next: 'Comprueba que sigue abierto y reinténtalo. Tus datos están bien.',
    },
    mail_not_configured: {
      title: 'Falta la cuenta de correo',
      next: 'Configúrala en Ajustes, Correo, o abre el mensaje en tu programa de correo.',
    },
    mail_not_issued: { title: 'Es un borrador', next: 'Emite la factura antes de enviarla.' },
    mail_test_recipient: {
      title: 'Un libro de pruebas solo envía a tu propia dirección',
      next: 'Cambia el destinatario, o trabaja en el libro real.',
    },
    mail_too_large: {
      title: 'Los adjuntos son demasiado grandes para un correo',
      next: 'Quita alguno o repártelos en varios.',
    },
    mail_not_open: {
      title: 'El correo ya ha salido',
      next: 'Mira en qué ha quedado; ya no se puede cambiar.',
    },
    lookup_unavailable: {
      title: 'El servicio consultado no contesta',
      next: 'Vuelve a intentarlo más tarde; no ha cambiado nada.',
    },
    lookup_refused: {
      title: 'El servicio no ha aceptado la consulta',
      next: 'Mira los detalles o consúltalo en su propia web.',
    },
    exchange_rate_unknown: {
      title: 'No hay cambio oficial de esa moneda para ese día',
      next: 'Elige una moneda del Banco Central Europeo y un día de los últimos 90, o escribe el cambio a mano.',
    },
    attachment_type: {
      title: 'Esa clase de archivo no se guarda',
      next: 'Usa un PDF, un XML, una imagen, un texto, un CSV, un XLSX sin macros o un correo.',
    },
    format_unavailable: {
      title: 'Esa factura no puede tenerse en ese formato',
      next: 'Mira qué le falta; el PDF lo tiene siempre.',
    },
    logo_unusable: {
      title: 'Esa imagen no sirve de logotipo',
      next: 'Usa un PNG o un JPEG en RGB o grises, de 16 a 2.000 píxeles de lado.',
    },
    attachment_in_use: { title: 'Ese archivo está en uso', next: 'Quítalo antes de donde está adjunto.' },
    received_duplicate: {
      title: 'Esa factura ya está anotada',
      next: 'Mírala; si es otra, di que la anote igualmente.',
    },
    received_not_void: { title: 'Esa factura recibida no está anulada', next: 'No hay nada que recuperar.' },
    restore_gone: {
      title: 'Eso ya no se puede recuperar',
      next: 'Lo borrado se guarda un día. Hazlo de nuevo.',
    },
    restore_taken: {
      title: 'No se puede recuperar tal como estaba',
      next: 'Otra cosa ocupa ya su sitio, o aquello de lo que formaba parte ha cambiado. Hazlo de nuevo.',
    },
    received_paid: { title: 'Tiene pagos', next: 'Quita antes sus pagos.' },
    file_unreadable: {
      title: 'El archivo no se puede leer',
      next: 'Puede estar estropeado, protegido o ser demasiado grande. Escribe los datos a mano: se adjunta igualmente.',
    },
    malformed_request: {
      title: 'La petición no se entiende',
      next: 'Vuelve a intentarlo; si se repite, cuéntanos qué hacías.',
    },
    unauthorized: { title: 'Esta ventana ya no tiene permiso', next: 'Ábrela otra vez desde Sello.' },
    scope_missing: {
      title: 'La clave no tiene permiso para esto',
      next: 'Usa otra clave o crea una en Conexiones.',
    },
    host_not_allowed: { title: 'La dirección no es la de este Sello', next: 'Ábrela desde Sello.' },
    origin_not_allowed: { title: 'Otra página no puede hablar con Sello', next: 'Ábrela desde Sello.' },
    not_found: {
      title: 'Eso ya no está',
      next: 'Puede haberse borrado o ser de otro libro. Vuelve a la lista.',
    },
    method_not_allowed: {
      title: 'La petición no es válida',
      next: 'Vuelve a intentarlo; si se repite, actualiza Sello.',
    },
    version_conflict: {
      title: 'Esto cambió en otro sitio',
      next: 'Mira los cambios y vuelve a guardar los tuyos.',
    },
    erasure_stale: {
      title: 'Hay algo nuevo de esta persona',
      next: 'Lo que ves ya está al día. Míralo y vuelve a confirmar.',
    },
    idempotency_in_progress: {
      title: 'La misma petición sigue en marcha',
      next: 'Espera un segundo y reinténtalo.',
    },
    gone: { title: 'Esa dirección ya no existe', next: 'Usa la nueva, que está en Conexiones.' },
    payload_too_large: { title: 'Es demasiado grande', next: 'Quita algo y vuelve a intentarlo.' },
    unsupported_media_type: {
      title: 'El formato no es válido',
      next: 'Vuelve a intentarlo; si se repite, actualiza Sello.',
    },
    validation_failed: { title: 'Hay datos por corregir', next: 'Revisa los campos señalados.' },
    idempotency_mismatch: { title: 'La petición se repitió con otros datos', next: 'Vuelve a intentarlo.' },
    confirmation_required: { title: 'Falta revisar antes de emitir', next: 'Revisa la factura y confirma.' },
    rate_limited: { title: 'Demasiadas peticiones seguidas', next: 'Espera unos segundos y reinténtalo.' },
    too_busy: { title: 'Hay demasiado trabajo a la vez', next: 'Espera unos segundos y reinténtalo.' },
    webhook_address_refused: {
      title: 'Los avisos no pueden ir a esa dirección',
      next: 'Usa una dirección https pública. Una de este equipo o su red solo la permite una persona, al crear el webhook.',
    },
    webhook_limit: {
      title: 'Este libro ya tiene todos los webhooks que puede',
      next: 'Borra uno que no se use o haz que uno reciba más tipos de eventos.',
    },
    internal: {
      title: 'Algo ha fallado en Sello',
      next: 'No es culpa tuya y tus datos están bien. Reinténtalo; si se repite, manda los detalles.',
    },
    disk_low: {
      title: 'El disco está casi lleno y no cabe nada nuevo',
      next: 'Vacía la papelera o borra lo que no necesites, y reinténtalo. Lo que hay se puede consultar, cambiar y exportar.',
    },
    store_readonly: {
      title: 'Ahora mismo solo se puede leer',
      next: 'El aviso de arriba dice por qué y qué hacer.',
    },
    bank_account_taken: {
      title: 'Ya tienes una cuenta con ese IBAN o esa cuenta contable',
      next: 'Usa aquella o elige otra cuenta contable de la 572.',
    },
    bank_account_in_use: {
      title: 'La cuenta tiene movimientos',
      next: 'Márcala como «sin uso», o deshaz antes sus ficheros.',
    },
    bank_import_matched: {
      title: 'Algunos movimientos del fichero ya están identificados',
      next: 'Deshaz primero esos {matched}.',
    },
    bank_already_matched: { title: 'El movimiento ya está identificado', next: 'Deshazlo primero.' },
    bank_not_matched: { title: 'El movimiento no está identificado', next: 'No hay nada que deshacer.' },
    invoice_not_draft: {
      title: 'La factura ya está emitida',
      next: 'Para corregirla, haz una rectificativa.',
    },
    invoice_invalid: {
      title: 'Todavía no se puede emitir',
      next: 'Corrige lo señalado y revísala otra vez.',
    },
    invoice_number_ambiguous: {
      title: 'Hay más de una factura con ese número',
      next: 'Ábrela desde la lista.',
    },
    confirmation_invalid: { title: 'La revisión no vale para esta factura', next: 'Revísala otra vez.' },
    confirmation_expired: { title: 'La revisión ha caducado', next: 'Revísala otra vez; dura diez minutos.' },
    confirmation_stale: { title: 'Algo ha cambiado mientras lo revisabas', next: 'Míralo otra vez.' },
    confirmation_used: { title: 'Esa revisión ya se usó', next: 'Mira la factura: se emitió con ella.' },
    approval_pending: { title: 'Espera tu aprobación', next: 'Decídelo en la Bandeja.' },
    step_for_the_owner: {
      title: 'Eso lo decide quien lleva el negocio',
      next: 'Propónselo: anular el registro, o rectificar la factura. Lo decide en Sello.',
    },
    approval_denied: { title: 'La rechazaste', next: 'Cambia lo que haga falta y revísala otra vez.' },
    approval_unavailable: { title: 'Nadie puede aprobarla ahora', next: 'Abre Sello y vuelve a pedirlo.' },
    approvals_full: {
      title: 'Ya hay veinte pasos esperando tu permiso',
      next: 'Decide algunos en la Bandeja.',
    },
    approval_closed: {
      title: 'Esa petición ya no espera respuesta',
      next: 'Mira en la Bandeja qué fue de ella.',
    },
    certificate_missing: {
      title: 'Falta el certificado de la empresa',
      next: 'Impórtalo en Ajustes: la primera emisión en el libro real lo necesita.',
    },
    producer_missing: {
      title: 'Faltan los datos del productor del programa',
      next: 'Sin ellos no se emite en el libro real; el de pruebas funciona.',
    },
    invoice_not_issued: {
      title: 'Todavía es un borrador',
      next: 'Cámbialo o bórralo sin más: no hay nada registrado.',
    },
    registry_pending: {
      title: 'La AEAT aún no ha contestado sobre esta factura',
      next: 'Espera su respuesta, que Sello pide solo, y reinténtalo.',
    },
    restored_copy: {
      title: 'Estos libros son una copia o vienen de otro equipo',
      next: 'Empieza una instalación nueva en Registro AEAT antes de emitir.',
    },
    series_in_conflict: {
      title: 'Otro programa ha usado números de esta serie',
      next: 'Decide en Registro AEAT cuál vale, o emite en otra serie.',
    },
    registry_unreachable: {
      title: 'La AEAT no se puede consultar ahora',
      next: 'Comprueba la conexión y reinténtalo.',
    },
    record_open: {
      title: 'Ese registro todavía espera respuesta',
      next: 'Cuando la tenga podrás darlo por resuelto.',
    },
    environment_fixed: {
      title: 'El destino ya no se puede cambiar',
      next: 'Lo fijó la primera factura. Para usar el otro, crea los libros en otra carpeta.',
    },
    nothing_to_export: { title: 'Ese año no tiene registros', next: 'Elige otro.' },
    certificate_password: {
      title: 'La contraseña no abre el archivo',
      next: 'Es la que se puso al exportarlo; distingue mayúsculas.',
    },
    certificate_invalid: {
      title: 'El archivo no trae un certificado con su clave privada',
      next: 'Expórtalo otra vez con la clave privada (.p12 o .pfx) y elige ese.',
    },
    certificate_expired: {
      title: 'El certificado no está en vigor',
      next: 'Renuévalo con quien lo emitió e importa el nuevo.',
    },
    daily_cap_reached: {
      title: 'La clave ha llegado a su tope de hoy',
      next: 'Espera a mañana o sube el tope.',
    },
    chain_broken: {
      title: 'La cadena de registros no cuadra',
      next: 'No se emite nada hasta resolverlo. Abre Registro AEAT.',
    },
    clock_wrong: {
      title: 'El reloj de este equipo no está en hora',
      next: 'Ponlo en hora, o acepta la diferencia en Registro AEAT. Si ya está en hora y fue adelantado, empieza allí una nueva instalación.',
    },
    series_wrong_kind: { title: 'Esa serie es de otra clase de factura', next: 'Elige otra serie.' },
    company_exists: { title: 'Esa empresa ya está en Sello', next: 'Elígela en el menú de libros.' },
    territory_not_supported: {
      title: 'Sello todavía no sirve para ese territorio',
      next: 'En el País Vasco y Navarra hay otro sistema; en Canarias, Ceuta y Melilla, otro impuesto. Busca un programa que los lleve.',
    },
    sii_not_supported: { title: 'Con el SII no te hace falta Sello', next: 'Sigue con tu programa del SII.' },
    contact_in_use: {
      title: 'Este contacto está en uso',
      next: 'Tiene borradores o mandatos. Cámbialos antes, o únelo con otro contacto.',
    },
    merge_superseded: {
      title: 'Esa unión ya no se puede deshacer',
      next: 'Si después lo uniste con otro, deshaz antes esa unión.',
    },
    import_state: {
      title: 'Esta importación no está en ese punto',
      next: 'Abre Importar: verás en qué quedó y cómo seguir.',
    },
    external_ref_taken: {
      title: 'Otro registro tiene esa referencia externa',
      next: 'Abre el otro o usa otra referencia.',
    },
    key_name_taken: { title: 'Ya hay una clave con ese nombre', next: 'Elige otro.' },
    key_too_wide: {
      title: 'Una clave no puede crear otra más amplia',
      next: 'Pide menos permisos o topes más bajos.',
    },
    proposal_decided: {
      title: 'Esa propuesta ya está decidida',
      next: 'La Bandeja dice qué se decidió.',
    },
    proposal_expired: {
      title: 'La propuesta caducó antes de que decidieras',
      next: 'Si todavía tiene sentido, hazlo tú o deja que la vuelvan a proponer.',
    },
    proposal_changed: {
      title: 'Ha cambiado mientras la mirabas',
      next: 'Mira lo que dice ahora y decide.',
    },
    proposals_full: { title: 'Hay demasiadas propuestas sin decidir', next: 'Decide algunas en la Bandeja.' },
    store_in_use: { title: 'Otro Sello está usando estos datos', next: 'Cierra el otro y reinténtalo.' },
    port_taken: {
      title: 'Otro programa usa el puerto de Sello',
      next: 'Cierra ese programa y abre Sello otra vez.',
    },
    store_missing: { title: 'No hay datos en esa carpeta', next: 'Revisa la carpeta.' },
    folder_shared: {
      title: 'Esa carpeta está en la red o se sincroniza',
      next: 'Lleva los datos a un disco de este equipo; las copias sí pueden ir ahí.',
    },
    store_newer: {
      title: 'Una versión más nueva escribió estos datos',
      next: 'Actualiza Sello; no se ha cambiado nada.',
    },
    store_damaged: {
      title: 'Los datos no se abren con esta llave',
      next: 'Revisa la llave o restaura la última copia; no se ha cambiado nada.',
    },
    keychain_locked: {
      title: 'El llavero está cerrado',
      next: 'Desbloquéalo y reinténtalo, o usa el código de recuperación.',
    },
    recovery_code_missing: {
      title: 'Estos libros no tienen código de recuperación, y una copia portátil no se abre con otra cosa.',
      next: 'Crea el código en Ajustes > Seguridad y haz la copia después.',
    },
    backup_not_made: {
      title: 'La copia no se ha podido hacer y comprobar.',
      next: 'Mira el motivo, por ejemplo un disco lleno, y hazla otra vez.',
    },
    backup_unknown: {
      title: 'Ese archivo no es una copia de Sello.',
      next: 'Elige el archivo que hizo Sello. No se ha cambiado nada.',
    },
    key_change_failed: {
      title: 'No se ha podido cambiar la clave. Los datos y el código de recuperación siguen como estaban.',
      next: 'Mira el motivo, como un disco lleno o un archivo de clave que no se puede escribir, y vuelve a intentarlo.',
    },
    disk_full: {
      title: 'El disco de tus datos está lleno',
      next: 'Haz sitio y vuelve a intentarlo. No se ha cambiado nada.',
    },
    backup_key_unknown: {
      title: 'Nada dice qué clave abre esta copia.',
      next: 'Elígela en la carpeta donde se hizo, junto a su archivo key-….json, o usa una copia portátil.',
    },
    backup_damaged: {
      title: 'La copia no está entera, o alguien la cambió después de hacerla.',
      next: 'Usa otra copia del archivo, o una copia anterior. No se ha cambiado nada.',
    },
    backup_of_other_books: {
      title: 'La copia es de otros libros que los de esta carpeta.',
      next: 'Restáurala en una carpeta vacía, o di que quieres cambiar estos libros por ella: se guardan aparte.',
    },
    restore_elsewhere: {
      title: 'Este Sello no tiene una ventana en la que restaurar.',
      next: 'Ciérralo y restaura por línea de órdenes: sello restore.',
    },
    books_shut: {
      title: 'Los datos están cerrados para restaurar una copia.',
      next: 'Restaura una, o ábrelos otra vez como están.',
    },
    restore_no_room: {
      title: 'No hay sitio en el disco para restaurar la copia junto a los libros.',
      next: 'Haz sitio y restaura otra vez. No se ha cambiado nada.',
    },
    recovery_code_wrong: {
      title: 'Esos grupos no coinciden.',
      next: 'Revísalos: las letras I, L, O y U no aparecen nunca.',
    },
    already_filed: {
      title: 'Ese modelo consta como presentado',
      next: 'Quítale primero la marca; lo que presentaste queda en el historial.',
    },
    books_too_large: {
      title: 'No cabe todo en un archivo',
      next: 'Pide un trimestre anterior o exporta las facturas por listas.',
    },
    period_locked: {
      title: 'Ese día está cerrado',
      next: 'Los libros están cerrados hasta el {lockedUntil}. Usa una fecha desde el {firstOpenDay}, o abre el periodo en Contabilidad.',
    },
    account_unknown: { title: 'Esa cuenta no existe', next: 'Elige una del plan de cuentas o añádela.' },
    entry_generated: {
      title: 'Este asiento sale de un documento',
      next: 'Corrige el documento, o escribe otro asiento que lo corrija.',
    },
    account_in_use: { title: 'Hay apuntes en esa cuenta', next: 'Déjala fuera de uso en vez de borrarla.' },
    year_not_closable: {
      title: 'Ese ejercicio no se puede cerrar ni abrir ahora',
      next: 'Se cierran por orden, cuando han terminado, y se abren empezando por el último.',
    },
    export_too_large: {
      title: 'Es demasiado para un solo archivo',
      next: 'Pide un periodo más corto o una sola cuenta; en CSV cabe más.',
    },
    export_too_many: {
      title: 'Son más documentos de los que caben en un archivo',
      next: 'Acorta el periodo o añade otro filtro, y expórtalas por partes.',
    },
    export_not_ready: {
      title: 'Los documentos todavía se están preparando',
      next: 'Espera a que terminen y guarda entonces el archivo.',
    },
    exports_busy: {
      title: 'Ya hay tres exportaciones en marcha',
      next: 'Espera a que termine alguna o cancélala.',
    },
    payment_exceeds_due: {
      title: 'Es más de lo que queda pendiente',
      next: 'Pon como mucho lo pendiente, o deja el resto a cuenta.',
    },
    payment_ambiguous: {
      title: 'Hay varios cobros que encajan',
      next: 'Elige cuál de ellos quieres deshacer.',
    },
    payment_in_use: {
      title: 'Otra cosa depende de este movimiento',
      next: 'Deshaz antes lo que lo usa: la remesa, el movimiento del banco o el saldo a cuenta ya gastado.',
    },
    invoice_cancelled: {
      title: 'La factura está anulada',
      next: 'No se debe nada de ella. Registra el dinero en otra factura o a cuenta.',
    },
    invoice_uncollectible: {
      title: 'La factura está dada por incobrable',
      next: 'Deshaz eso primero, en sus cobros, y registra el cobro después.',
    },
    invoice_settled: {
      title: 'No se debe nada de esa factura',
      next: 'Mírala: está pagada, es un abono o se dio por perdida.',
    },
    invoice_not_late: {
      title: 'La factura todavía no ha vencido',
      next: 'Espera al día siguiente de su vencimiento o quítala del aviso.',
    },
    received_void: {
      title: 'La factura recibida está anulada',
      next: 'Registra el pago en la que la sustituyó.',
    },
    creditor_missing: {
      title: 'Falta tu identificador de acreedor y tu cuenta',
      next: 'Configúralos en Cobros y pagos, Domiciliaciones.',
    },
    mandate_reference_taken: {
      title: 'Otro mandato tiene esa referencia',
      next: 'Pon otra, o déjala vacía y la hará Sello.',
    },
    mandate_in_use: {
      title: 'Ya se han cobrado recibos con ese mandato',
      next: 'Anúlalo en vez de borrarlo.',
    },
    remittance_not_prepared: {
      title: 'La remesa ya está ejecutada o descartada',
      next: 'Vuelve a la lista para ver cómo está.',
    },
    remittance_not_settled: {
      title: 'La remesa no está ejecutada',
      next: 'Márcala como ejecutada con el día en que lo hizo el banco.',
    },
    remittance_discarded: {
      title: 'La remesa está descartada',
      next: 'Prepara otra.',
    },
    debit_already_returned: {
      title: 'Ese recibo ya estaba devuelto',
      next: 'Vuelve a abrir la remesa para ver sus apuntes.',
    },
    command_unknown: { title: 'Esa orden no existe', next: 'Mira la ayuda.' },
    invoice_not_in_force: {
      title: 'La factura está anulada',
      next: 'No hay nada que corregir. Si hace falta, emite otra.',
    },
    invoice_replaced: { title: 'Otra factura ocupa el lugar de esta', next: 'Rectifica la nueva.' },
    nothing_left_to_rectify: {
      title: 'Esta factura ya está abonada entera',
      next: 'Mira sus rectificativas: también se pueden rectificar.',
    },
    series_started: { title: 'La serie ya ha dado números', next: 'Sigue con ella o añade otra.' },
    series_needed: {
      title: 'Es la serie que se usa si no eliges otra',
      next: 'Pon antes otra como habitual.',
    },
    quote_invoiced: {
      title: 'Ya se ha facturado algo de este documento',
      next: 'Borra antes los borradores hechos de él, o duplícalo.',
    },
    quote_nothing_left: {
      title: 'No queda nada por facturar',
      next: 'Mira las facturas hechas de él, o duplícalo.',
    },
    recurrence_ended: {
      title: 'A esta factura recurrente no le quedan fechas',
      next: 'Cambia su última fecha o el número de veces.',
    },
  },
  faults,
}
