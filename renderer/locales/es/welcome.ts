/** Texts of the set-up. */
export const welcome = {
  welcome: {
    frame:
      'El marco naranja que acaba de aparecer dice que estás en el libro de pruebas: nada de lo que hagas aquí llega a la [authority]. En el libro real no hay marco.',
    progress: 'Paso {number} de {total}',
    company: {
      name: 'Empresa',
      title: '¿Quién factura?',
      text: 'Lo que la ley pide en cada factura. Podrás cambiarlo, menos el NIF.',
      restore: 'Ya uso Sello: traer mis datos de una copia',
      fullName: 'Nombre y apellidos',
      territory: 'Domicilio fiscal en',
      regime: 'Régimen',
      contradicted:
        'Ese código postal es de {territory}. El territorio decide el impuesto y no se puede cambiar después: comprueba dónde está tu domicilio fiscal.',
      contradictedYes: 'Es correcto: mi domicilio fiscal está en ese territorio',
      sii: 'Llevo los libros por el SII',
      missing: {
        nif: 'Escribe tu NIF, por ejemplo 12345678Z',
        legalName: 'Escribe el nombre tal como está en Hacienda',
        street: 'Escribe la calle y el número',
        postalCode: 'Escribe el código postal, por ejemplo 28013',
        city: 'Escribe la población',
        province: 'Escribe la provincia',
      },
    },
    lookup: {
      ask: 'Buscar sus datos',
      help: 'Pregunta a Hacienda y a VIES por este NIF. Puedes cambiarlo todo.',
      exists: 'Ese NIF ya está en Sello: {company}.',
      open: 'Abrir esa empresa',
      differs: 'El nombre escrito no es el que consta: {name}.',
      take: 'Usar ese nombre',
      simulated: 'Respuestas de ensayo: nada ha salido de este ordenador.',
      census: {
        identified: 'Hacienda: el NIF está en el censo. {name}',
        similar: 'Hacienda: el NIF existe, pero el nombre no coincide del todo. {name}',
        not_identified: 'Hacienda: el NIF y el nombre no constan juntos en el censo. Puedes seguir.',
        inactive: 'Hacienda: el NIF está de baja. {name}',
        revoked: 'Hacienda: el NIF está revocado. {name}',
        not_asked: 'Hacienda: sin preguntar, hace falta el certificado de la empresa abierta.',
        unavailable: 'Hacienda no ha contestado. Escribe los datos a mano.',
      },
      vies: {
        valid: 'VIES: número válido. El nombre y la dirección que da están en el formulario.',
        silent: 'VIES: número válido. No publica ni el nombre ni la dirección.',
        unknown: 'VIES: no consta. Es normal si no opera con otros países de la UE.',
        unavailable: 'VIES no ha contestado. Escribe los datos a mano.',
      },
    },
    barred: {
      lookedUpOn: 'Consultado por última vez el {date}.',
      navarre: {
        title: 'Navarra tiene su propio sistema',
        text: 'VERI*FACTU no se aplica allí. Hacienda Foral de Navarra dirá qué programas sirven.',
      },
      sii: {
        title: 'Con el SII no te hace falta Sello',
        text: 'Sigue con tu programa del SII.',
      },
    },
    territory: {
      canary:
        'Cobrarás IGIC y tus facturas se registran con VERI*FACTU. Sello calcula los modelos 420, 425 y 415; otros de la Agencia Tributaria Canaria, no.',
      ceuta_melilla:
        'Cobrarás IPSI y tus facturas se registran con VERI*FACTU. Sello suma por tipos y no prepara la declaración del IPSI.',
      basque:
        'Cobrarás IVA y tus facturas se firman con TicketBAI. Sello no calcula los modelos de tu Hacienda Foral: ni IVA, ni retenciones, ni renta o sociedades.',
    },
    look: {
      name: 'Tu factura',
      title: 'Así será tu factura',
      text: 'Con tu logo, tu color y la cuenta en la que cobras. Se cambia cuando quieras en Ajustes.',
      iban: 'Cuenta para cobrar (IBAN)',
      ibanHelp: 'Se imprime en las facturas que se cobran por transferencia, con un QR para pagarlas.',
      later: 'Más tarde',
    },
    certificate: {
      name: 'Pruebas',
      title: 'Empiezas en el libro de pruebas',
      text: 'Practica sin miedo: nada sale de este equipo.',
      testFirst: 'Para probar no hace falta certificado',
      testFirstText:
        'En el libro de pruebas responde una autoridad simulada, los números empiezan por T- y el PDF lleva la marca PRUEBA.',
      obliged:
        'VERI*FACTU obliga a las sociedades desde el {companies} y a los demás desde el {others} ({gazette}).',
      signed:
        'El libro real está al lado, con su propia numeración. TicketBAI firma cada factura al emitirla: antes de la primera, importa el certificado de la empresa en Ajustes, Certificado. Sin él no se emite nada.',
      liveLater:
        'El libro real está al lado, con su propia numeración. Para emitir en él importa el certificado de la empresa en Ajustes, Certificado, cuando quieras.',
    },
    recovery: {
      name: 'Recuperación',
      title: 'Tu código de recuperación',
      text: 'Tus datos están cifrados. Este código los abre si el equipo se pierde o se estropea.',
      later: 'Hacerlo más tarde, en Ajustes',
    },
    sample: {
      client: 'Cliente de Ejemplo S.L.',
      work: 'Horas de trabajo',
      material: 'Material',
    },
  },
}
